/// A page of an events API: pretty-printed, nested, with nulls, escapes, numbers that a Double cannot hold, and keys
/// that nobody asked for.
enum EventsPage {
    static let json = #"""
        {
          "status": "ok",
          "data": {
            "items": [
              {
                "type": "push",
                "created_at": "2013-01-10T07:58:30Z",
                "actor": {
                  "gravatar_id": "a7cec1f75a06a5f8ab53139515da5d99",
                  "login": "ada-l",
                  "avatar_url": "https://avatars.example/a7cec1f7?d=https:\/\/cdn.example%2Fimages%2Fdefault.png",
                  "url": "https://api.example/users/ada-l",
                  "id": 138052
                },
                "repo": { "url": "https://api.example/repos/ada-l/trigger", "id": 6357414, "name": "ada-l/trigger" },
                "public": true,
                "payload": {
                  "commits": [
                    {
                      "message": "- Channel data set up in the base (\"Trigger\")\n- \u00fcbergabe \ud83c\udf4e",
                      "distinct": true,
                      "sha": "05570a3080693f6e55244e012b3b1ec59516c01b",
                      "author": null
                    }
                  ],
                  "distinct_size": 1,
                  "ref": "refs/heads/issue-22",
                  "tags": [],
                  "extra": {}
                },
                "score": 0.10000000000000000555,
                "id": "1652857722"
              },
              {
                "type": "fork",
                "created_at": "2013-01-10T07:58:29.125+01:00",
                "actor": {
                  "gravatar_id": "",
                  "login": "grace-h",
                  "url": "https://api.example/users/grace-h",
                  "id": 1229684
                },
                "public": false,
                "org": null,
                "payload": { "forkee": { "fork": true, "size": 1e3, "watchers": -0 } },
                "score": 12345678901234567890,
                "id": "1652857721"
              },
              {
                "type": "watch",
                "created_at": "2013-01-10T07:58:28Z",
                "actor": { "login": "ken-t", "url": "https://api.example/users/ken-t", "id": 1 },
                "public": true,
                "org": { "login": "naïve-org", "url": "https://api.example/orgs/na%C3%AFve-org", "id": 2 },
                "payload": "started",
                "score": 1,
                "id": "1652857720"
              }
            ],
            "limits": { "core": 60, "search": 10 }
          },
          "next": "https://api.example/events?page=2"
        }
        """#
}

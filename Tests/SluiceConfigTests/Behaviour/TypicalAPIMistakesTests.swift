import Testing

@testable import SluiceConfig

/// What a person gets wrong in credentials, errors, pages and queries: the right place, and what to do.
@Suite struct TypicalAPIMistakesTests {
    @Test(arguments: [
        (
            "    bearer: {value: abc}", "    credential: nope",
            "4:17: there is no credential 'nope'; expected a name under 'credentials:', or none"
        ),
        (
            "    bearer: {value: abc}", "    credential: {bearer: {value: a}}",
            """
            4:17: a credential has a name; expected a name under 'credentials:', or none; say it under \
            'credentials:' and give its name here: credential: NAME
            """
        ),
        (
            "    bearer: {value: abc}", "    basic: {user: a, password: b}",
            "4:5: unknown key 'basic'; say it under 'credentials:' and give its name here: credential: NAME"
        ),
        (
            "    bearer: {value: abc}", "    api-key: {value: abc}",
            "4:5: unknown key 'api-key'; say it under 'credentials:' and give its name here: credential: NAME"
        ),
        (
            "bindings:\n", "credentials:\n  a: {command: gh auth token}\nbindings:\n",
            """
            11:16: a text where a mapping is wanted; expected one of the keys run, timeout, lifetime, \
            variables; did you mean '{run: …}'?
            """
        ),
        (
            "bindings:\n", "credentials:\n  a: {basic: {username: me, password: {value: x}}}\nbindings:\n",
            "11:15: unknown key 'username'; expected one of the keys user, password; did you mean 'user'?"
        ),
        (
            "bindings:\n", "credentials:\n  a: {api-key: {value: x}, in: query}\nbindings:\n",
            "11:6: an API key in the query needs the name of its parameter; expected 'name:', such as api_key"
        ),
        (
            "bindings:\n", "credentials:\n  a: {api-key: {value: x}, header: X-Fruit}\nbindings:\n",
            "11:28: unknown key 'header'; write {api-key: {…}, name: X-API-Key}"
        ),
        (
            "bindings:\n", "credentials:\n  a: {api-key: {value: x}, query: fruit}\nbindings:\n",
            "11:28: unknown key 'query'; write {api-key: {…}, in: query, name: api_key}"
        ),
        (
            "bindings:\n", "credentials:\n  a: {api-key: {value: x, header: X-Fruit}}\nbindings:\n",
            """
            11:27: unknown key 'header'; expected one of the keys value, env, file; write it under \
            'credentials:', beside the key: {api-key: {…}, name: X-API-Key}
            """
        ),
        (
            "bindings:\n",
            "credentials:\n  a: {oauth2: {token-url: 'https://t.example', client-id: c}}\nbindings:\n",
            """
            11:7: without 'grant:' a person signs in, and neither 'authorize-url:' nor 'issuer:' says where; \
            expected one of them, or 'grant: client-credentials' where no person signs in
            """
        ),
        (
            "bindings:\n",
            "credentials:\n  a: {oauth2: {grant: authorization-code, token-url: 'https://t.example', client-id: c}}\n"
                + "bindings:\n",
            """
            11:7: there is neither an authorization endpoint nor an 'issuer:' that names it; expected \
            'authorize-url:'
            """
        ),
        (
            "upstreams:", "metrics: {listen}\nupstreams:",
            """
            1:11: unknown key 'listen'; expected one of the keys buckets; write admin: {address: \
            127.0.0.1:9100}; metrics and health are served there
            """
        ),
        (
            "    bearer: {value: abc}", "    headers: {X-Key: \"${KEY}\"}",
            """
            4:22: variables such as '${KEY}' are not filled in; expected the text itself; secrets alone \
            may come from one: {env: KEY}
            """
        ),
        (
            "    bearer: {value: abc}", "    headers: {Authorization: \"Bearer abc\"}",
            """
            4:15: field 'Authorization' cannot be set here; expected a field that is not the gateway's own; \
            use 'bearer:' of the upstream
            """
        ),
        (
            "    bearer: {value: abc}", "    bearer: ${TOKEN}",
            "4:13: a bearer is a mapping; expected one of the keys value, env, file; write {env: TOKEN}"
        ),
        (
            "    bearer: {value: abc}", "    error: error.message",
            "4:12: the text 'error.message' where a mapping is wanted; did you mean '{message: error.message}'?"
        ),
        (
            "    bearer: {value: abc}", "    error: {when: \"ok == false\"}",
            """
            4:19: 'ok == false' is no key path: nothing is compared in it; expected key paths with the values \
            that are looked for; did you mean '{ok: false}'?
            """
        ),
        (
            "    bearer: {value: abc}", "    error: {status: {404: 410}}",
            "4:21: a mapping where a number is wanted; expected a whole number from 400 to 599"
        ),
        (
            "    bearer: {value: abc}", "    error: {message: \"errors.*.message\"}",
            """
            4:22: '*' in 'errors.*.message' yields many values where one is wanted; expected an index, such \
            as [0] for the first of them
            """
        ),
        (
            "    parent: values", "    pages: {next: meta.next, as: cursor}",
            """
            14:30: 'as' belongs to 'cursor:'; expected no 'as'; what is sent as a parameter is a cursor: \
            {cursor: meta.next, as: page}
            """
        ),
        (
            "    parent: values", "    pages: {cursor: meta.next}",
            "14:13: nothing says how the cursor is sent; expected the parameter's name as 'as:'"
        ),
        (
            "    parent: values", "    pages: link",
            "14:12: the text 'link' where a mapping is wanted; did you mean '{next: link}'?"
        ),
        (
            "    value: Fruit\n", "    value: Fruit\n    pages: {cursor: a.b, as: cursor}\n",
            """
            20:5: pages are gathered into an array, and the value is Fruit; expected a value such as [Fruit]; \
            say by 'parent:' where the items stand
            """
        ),
        (
            "    parent: values", "    graphql: \"query { a\"",
            "14:5: a '{' is not closed; expected as many brackets closed as opened"
        ),
        (
            "    parent: values", "    graphql: \"query($x: Int) { a }\"",
            """
            14:5: no parameter fills the variable '$x'; expected a parameter of this name; add params: {x: \
            Int?}
            """
        ),
        (
            "    parent: values", "    graphql: query.graphql",
            "14:5: the query asks for nothing; expected { and what is asked for, such as { me { id } }"
        ),
    ])
    func saysWhatToDo(_ old: String, _ new: String, _ mistake: String) {
        #expect(FirstPage.mistake(old, new) == mistake)
    }
}

"""Real documents, which a folder has to hold: of each the part that is cut out, and its type."""

from dataclasses import dataclass

from . import load

SOURCE = "simdjson's jsonexamples, https://github.com/simdjson/simdjson/tree/master/jsonexamples"


@dataclass(frozen=True)
class Document:
    name: str
    # Key of the part that is cut out; None for all of it.
    part: str
    type: str
    run: object

    @property
    def path(self):
        return f"/real/{self.name}"


DOCUMENTS = [
    Document("twitter", "statuses", "[Status]", load.whole_downloads),
    Document("citm_catalog", "performances", "[Performance]", load.whole_downloads),
    Document("github_events", None, "[Event]", load.small_requests),
    Document("update-center", "plugins", "[String: Plugin]", load.whole_downloads),
    Document("apache_builds", "jobs", "[Job]", load.small_requests),
    Document("canada", "features", "[Feature]", load.whole_downloads),
]

TYPES = """
  Status: {created_at: String, id: Int, text: String, user: User, retweet_count: Int, favorite_count: Int}
  User: {id: Int, name: String, screen_name: String, followers_count: Int, verified: Bool}
  Performance:
    eventId: Int
    id: Int
    prices: [Price]
    seatCategories: [SeatCategory]
    start: Int
    venueCode: String
  Price: {amount: Int, audienceSubCategoryId: Int, seatCategoryId: Int}
  SeatCategory: {areas: [Area], seatCategoryId: Int}
  Area: {areaId: Int}
  Event: {type: String, created_at: Date, actor: Actor, repo: Repository, public: Bool, id: String}
  Actor: {login: String, id: Int}
  Repository: {id: Int, name: String}
  Plugin:
    buildDate: String
    dependencies: [Dependency]
    developers: [Developer]
    name: String
    sha1: String
    url: URL
    version: String
  Dependency: {name: String, optional: {type: Bool}, version: String}
  Developer: {developerId: String?}
  Job: {name: String, url: URL, color: String}
  Feature: {type: String, properties: Properties, geometry: Geometry}
  Properties: {name: String}
  Geometry: {type: String, coordinates: '[[[Double]]]'}
"""


def bindings():
    """The bindings of all of them, as lines of Sluice's page."""
    lines = []
    for document in DOCUMENTS:
        lines += [f"  GET {document.path}:", f"    to: origin {document.path}", "    bearer: false"]
        lines += [f"    parent: {document.part}"] if document.part else []
        lines += [f"    value: '{document.type}'"]
    return "\n".join(lines)


def read(folder):
    """Their bytes by name, of those that the folder holds."""
    files = {document.name: folder / f"{document.name}.json" for document in DOCUMENTS} if folder else {}
    return {name: file.read_bytes() for name, file in files.items() if file.is_file()}

import SluiceContract
import SluiceFiles
import Testing

@Suite struct SecretFileDiskTests {
    @Test func whatIsNotThereHasNoFacts() {
        #expect(SecretFile(path: "/nonexistent/token", credentialsDirectory: nil) == nil)
        #expect(SecretFile.realPath("/nonexistent/token") == nil)
        #expect(SecretFile.realPath("/usr/../usr/./bin/..") == "/usr")
    }
}

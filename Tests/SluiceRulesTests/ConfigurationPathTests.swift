import Testing
@testable import SluiceRules

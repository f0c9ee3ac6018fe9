/// The codes of the records envelope.
package enum AnswerCode: Int, Sendable, Hashable, CaseIterable {
    case done = 1000
    case missing = 2001
    case wrongType = 2002
    case outOfRange = 2003
    case notAllowed = 2004
    case tooLarge = 2005
    case notJSON = 2006
    case conflict = 3000
    case notFound = 3001
    case notSignedIn = 4010
    case notPermitted = 4030
    case tooManyRequests = 4290
    case `internal` = 5000
    case originFailed = 5020
    case originTooSlow = 5040
}

internal import Foundation
internal import HalcyonHTTP

/// What came from an origin or a provider, before anybody has looked at it.
struct ReceivedImage {
    let body: [UInt8]
    /// Empty from a provider.
    let fields: HTTPFields
    let requestTime: Date
    let responseTime: Date

    init(_ response: FetchResponse) {
        body = response.body
        fields = response.fields
        requestTime = response.requestTime
        responseTime = response.responseTime
    }

    /// From a provider.
    init(_ body: [UInt8], now: Date) {
        self.body = body
        fields = HTTPFields()
        requestTime = now
        responseTime = now
    }
}

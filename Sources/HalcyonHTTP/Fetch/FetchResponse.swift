#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// An origin's answer, whatever its status.
package struct FetchResponse: Sendable {
    package let status: Int
    /// Of the final answer; of the first 200 if the body was resumed.
    package let fields: HTTPFields
    package let body: [UInt8]
    package let finalURL: CanonicalURL
    /// Wall times for RFC 9111 §4.2.3: when the last request went out, and when its answer's fields were in.
    package let requestTime: Date
    package let responseTime: Date
    package let metrics: TransferMetrics
}

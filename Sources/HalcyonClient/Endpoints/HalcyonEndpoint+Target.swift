public import Foundation

extension HalcyonEndpoint: TargetType {
    /// Where `halcyon serve` listens unless told otherwise.
    public static let defaultBaseURL = "http://127.0.0.1:8080"

    public var baseURL: String { Self.defaultBaseURL }
    public var path: String { plan.path }
    public var method: RequestMethod { plan.method }
    public var task: RequestTask { plan.task }
    public var headers: [String: String] { ["Accept": envelope == .bytes ? "*/*" : "application/json"] }
    public var envelope: AnswerEnvelope { plan.envelope }
    public var sampleData: Data { plan.sample }
}

/// A row of the table of endpoints.
struct EndpointPlan {
    let method: RequestMethod
    let path: String
    var task = RequestTask.plain
    var envelope = AnswerEnvelope.records
    let sample: Data

    init(
        _ method: RequestMethod, _ path: String, _ task: RequestTask = .plain,
        _ envelope: AnswerEnvelope = .records, sample: Data
    ) {
        self.method = method
        self.path = path
        self.task = task
        self.envelope = envelope
        self.sample = sample
    }

    /// Of the records envelope.
    init(_ method: RequestMethod, _ path: String, _ task: RequestTask = .plain, result: String) {
        self.init(method, path, task, .records, sample: Sample.records(result))
    }

    /// Of the users' envelope.
    init(_ method: RequestMethod, _ path: String, _ task: RequestTask = .plain, data: String) {
        self.init(method, path, task, .users, sample: Sample.users(data))
    }

    /// Of none.
    init(_ method: RequestMethod, _ path: String, _ task: RequestTask = .plain, bare: String) {
        self.init(method, path, task, .bare, sample: Data(bare.utf8))
    }
}

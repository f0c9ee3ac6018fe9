internal import HalcyonSQLite

/// The index as long as it is open: one connection that writes, one for each read lane.
struct OpenIndex: Sendable {
    let writer: Database
    let readers: [Database]
    let identity: FileIdentity
}

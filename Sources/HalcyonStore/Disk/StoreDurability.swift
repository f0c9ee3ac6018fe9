/// When a store returns.
package enum StoreDurability: Sendable, Hashable {
    /// The file is written and this process finds the entry; its row follows within milliseconds. A crash in between
    /// loses the entry. For bulk work.
    case written
    /// The row is committed, other processes find it.
    case committed
}

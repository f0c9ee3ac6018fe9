/// "Did you mean": the nearest known word to a misspelt one.
enum Suggestion {
    /// `nil` when nothing is near: more than a third of the word would have to change.
    static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        let limit = max(1, word.count / 3)
        return known.map { (word: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= limit || (word.count >= 4 && $0.word.hasPrefix(word)) }
            .min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
    }

    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices.map({ $0 + 1 }) {
            var current = [row]
            for column in right.indices.map({ $0 + 1 }) {
                let cost = left[row - 1] == right[column - 1] ? 0 : 1
                var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + cost)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, beforeLast[column - 2] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}

/// What a client gives of an exercise post, under the names that the app gives them. `nil` in an edit leaves the text as
/// it is.
package struct ExerciseDraft: Sendable, Hashable {
    package var exTime: String?
    package var exIntensity: String?
    package var exEvalu: String?
    package var exComment: String?
    package var certiSport: String?

    package init(
        exTime: String? = nil, exIntensity: String? = nil, exEvalu: String? = nil, exComment: String? = nil,
        certiSport: String? = nil
    ) {
        self.exTime = exTime
        self.exIntensity = exIntensity
        self.exEvalu = exEvalu
        self.exComment = exComment
        self.certiSport = certiSport
    }

    /// The texts of a post, in place of `old` as far as they are given.
    ///
    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming the field.
    func text(inPlaceOf old: ExercisePost.Text?) throws(RecordError) -> ExercisePost.Text {
        ExercisePost.Text(
            time: try check(exTime, old?.time, "ex_time"),
            intensity: try check(exIntensity, old?.intensity, "ex_intensity"),
            evaluation: try check(exEvalu, old?.evaluation, "ex_evalu"),
            comment: try check(exComment, old?.comment, "ex_comment", isMultiline: true),
            sport: try check(certiSport, old?.sport, "certi_sport"))
    }

    private func check(
        _ text: String?, _ old: String?, _ field: String, isMultiline: Bool = false
    ) throws(RecordError) -> String {
        guard let text else {
            guard let old else { throw .invalid(field: field, accepted: "0 to 1000 characters") }
            return old
        }
        return try RecordText.check(text, field: field, length: 0...1000, isMultiline: isMultiline)
    }
}

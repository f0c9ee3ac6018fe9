package import Halcyon

/// What is answered where a photo cannot be had.
package struct PlaceholderPolicy: Sendable {
    package enum Defaults {
        package static let maximumAgeSeconds = 60
    }

    /// The status of an answer that carries the placeholder.
    package enum Status: Sendable, Hashable {
        /// 200: an `<img>` shows it, and a script that listens for an error hears nothing.
        case ok
        /// The status that the failure would have without a placeholder.
        case failure
    }

    /// What kind of failure it was: each can have the placeholder or not.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The student has no photo.
        case noPhoto = "no-photo"
        /// The origin answered 404 or 410.
        case missing
        /// The origin could not be reached, failed, or sent something that is no image.
        case unavailable
        case timeout
        /// Not allowed by the configuration.
        case refused
    }

    /// What is shown.
    package enum Drawing: Sendable, Hashable {
        /// The image as it is, scaled where a variant is asked.
        case file
        /// A head and shoulders, drawn in the size that is asked; the image is the one without a size.
        case silhouette
        /// The initials of the student's name where there is a student, else as `silhouette`.
        case initials
    }

    package var image: ImagePlaceholder
    package var drawing: Drawing
    package var status: Status
    /// Seconds; 0 is `no-cache`. Never more than a photo that is added should have to wait.
    package var maximumAgeSeconds: Int
    package var causes: Set<Cause>

    package init(
        image: ImagePlaceholder, drawing: Drawing = .file, status: Status = .ok,
        maximumAgeSeconds: Int = Defaults.maximumAgeSeconds,
        causes: Set<Cause> = Set(Cause.allCases)
    ) {
        self.image = image
        self.drawing = drawing
        self.status = status
        self.maximumAgeSeconds = max(0, maximumAgeSeconds)
        self.causes = causes
    }
}

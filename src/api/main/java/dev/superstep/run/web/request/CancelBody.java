package dev.superstep.run.web.request;

/// The body of a cancel, which has no fields. `{}` is accepted for clients that always send an
/// object.
public record CancelBody() {}

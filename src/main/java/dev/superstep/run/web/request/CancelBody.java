package dev.superstep.run.web.request;

/// What a cancel may say: nothing. `{}` is taken for the clients that always send an object.
public record CancelBody() {}

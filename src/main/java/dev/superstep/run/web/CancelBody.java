package dev.superstep.run.web;

/// What a cancel may say: nothing. `{}` is taken for the clients that always send an object.
record CancelBody() {}

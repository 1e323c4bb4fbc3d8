package dev.superstep.security;

import java.util.Optional;

/// Whether and how the console offers to sign in.
///
/// @param provider its name for people; empty: with keys only
public record SignInLink(Optional<String> provider) {}

package dev.superstep.security;

import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/// Identifies the caller, for counts and limits per caller.
@Component
public class Callers {
  /// The only caller when there are no API keys.
  public static final String EVERYBODY = "";

  /// The caller of the request that this thread answers: a digest of its API key, which may be
  /// logged and stored; [#EVERYBODY] without keys and outside of requests.
  public String current() {
    var caller = SecurityContextHolder.getContext().getAuthentication();
    return caller == null || caller instanceof AnonymousAuthenticationToken
        ? EVERYBODY
        : caller.getName();
  }
}

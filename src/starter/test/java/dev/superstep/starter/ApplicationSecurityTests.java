package dev.superstep.starter;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;

class ApplicationSecurityTests {
  private final List<Authentication> seen = new ArrayList<>();
  private final ApplicationSecurity security =
      new ApplicationSecurity(
          (_, _) -> seen.add(SecurityContextHolder.getContext().getAuthentication()),
          (_, response) -> response.setStatus(401));
  private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/v1/graphs");

  @AfterEach
  void leavesNobody() {
    SecurityContextHolder.clearContext();
  }

  private int call(@Nullable Authentication caller) throws Exception {
    SecurityContextHolder.getContext().setAuthentication(caller);
    var response = new MockHttpServletResponse();
    security.handle(request, response);
    assertThat(SecurityContextHolder.getContext().getAuthentication()).isEqualTo(caller);
    return response.getStatus();
  }

  @Test
  void refusesWhomTheApplicationDoesNotKnow() throws Exception {
    var unchecked = new TestingAuthenticationToken("ada", "secret");

    assertThat(call(null)).isEqualTo(401);
    assertThat(call(unchecked)).isEqualTo(401);
    assertThat(
            call(
                new AnonymousAuthenticationToken(
                    "key", "anonymous", AuthorityUtils.createAuthorityList("superstep:read"))))
        .isEqualTo(401);
    assertThat(seen).isEmpty();
  }

  @Test
  void givesACallerTheScopesOfItsAuthorities() throws Exception {
    var caller =
        new TestingAuthenticationToken(
            "ada", "", "superstep:read", "SCOPE_superstep:run", "operate", "superstep:all");

    assertThat(call(caller)).isEqualTo(200);
    assertThat(seen).hasSize(1);
    assertThat(seen.getFirst().getName()).isEqualTo("ada");
    assertThat(seen.getFirst().getAuthorities())
        .extracting("authority")
        .containsExactlyInAnyOrder("read", "run", "answer");
  }

  @Test
  void knowsTheCallerOfACallThatGoesOn() throws Exception {
    call(new TestingAuthenticationToken("ada", "", "superstep:read"));
    request.setDispatcherType(DispatcherType.ASYNC);

    assertThat(call(null)).isEqualTo(200);
    assertThat(seen.getLast().getName()).isEqualTo("ada");
  }

  @Test
  void believesNoAttributeOfAFreshCall() throws Exception {
    call(new TestingAuthenticationToken("ada", "", "superstep:read"));

    assertThat(call(null)).isEqualTo(401);
  }
}

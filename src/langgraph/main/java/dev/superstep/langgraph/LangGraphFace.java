package dev.superstep.langgraph;

import dev.superstep.http.ErrorForm;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.ApiFace;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerTypePredicate;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Puts the configured path before the paths of all controllers of this face, has its calls guarded
/// as those of `/v1` are, and writes its errors as its clients read them.
@Configuration(proxyBeanMethods = false)
@OnLangGraph
class LangGraphFace implements WebMvcConfigurer, ApiFace, ErrorForm {
  private static final List<String> SHOWN =
      List.of("Content-Location", "X-Pagination-Next", "X-Pagination-Total");
  private final LangGraphSettings settings;

  LangGraphFace(LangGraphSettings settings) {
    this.settings = settings;
  }

  @Override
  public void configurePathMatch(PathMatchConfigurer paths) {
    paths.addPathPrefix(
        settings.path(), HandlerTypePredicate.forAnnotation(LangGraphController.class));
  }

  @Override
  public String path() {
    return settings.path();
  }

  @Override
  public List<String> shownHeaders() {
    return SHOWN;
  }

  @Override
  public boolean covers(HttpServletRequest request) {
    return ApiFace.isBelow(path(), request);
  }

  @Override
  public Object body(ServiceException failure) {
    return LangGraphError.of(failure);
  }
}

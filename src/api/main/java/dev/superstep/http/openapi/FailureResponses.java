package dev.superstep.http.openapi;

import dev.superstep.http.RequestBytes;
import dev.superstep.problem.ErrorCode;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

/// Adds the failures of every operation to the OpenAPI document.
@Component
class FailureResponses implements GlobalOperationCustomizer {
  private static final Set<ErrorCode> EVERY_CALL =
      EnumSet.of(
          ErrorCode.BAD_REQUEST,
          ErrorCode.UNAUTHENTICATED,
          ErrorCode.FORBIDDEN,
          ErrorCode.INSUFFICIENT_SCOPE,
          ErrorCode.NOT_ACCEPTABLE,
          ErrorCode.UNKNOWN_PARAMETER,
          ErrorCode.LIMIT_EXCEEDED,
          ErrorCode.QUOTA_EXCEEDED,
          ErrorCode.RATE_LIMITED,
          ErrorCode.OVERLOADED,
          ErrorCode.DATABASE_UNAVAILABLE);
  private static final Set<ErrorCode> WITH_PARAMETERS = EnumSet.of(ErrorCode.INVALID_PARAMETER);
  private static final Set<ErrorCode> WITH_BODY =
      EnumSet.of(
          ErrorCode.UNREADABLE_BODY,
          ErrorCode.REQUEST_TIMEOUT,
          ErrorCode.BODY_TOO_LARGE,
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          ErrorCode.INVALID_REQUEST,
          ErrorCode.UNKNOWN_FIELD,
          ErrorCode.MISSING_FIELD,
          ErrorCode.WRONG_TYPE,
          ErrorCode.INVALID_VALUE,
          ErrorCode.DEADLINE_EXCEEDED);
  private static final Set<ErrorCode> WITH_KEY =
      EnumSet.of(
          ErrorCode.INVALID_HEADER,
          ErrorCode.IDEMPOTENCY_KEY_REUSED,
          ErrorCode.IDEMPOTENCY_IN_PROGRESS);

  @Override
  public Operation customize(Operation operation, HandlerMethod method) {
    var own = AnnotatedElementUtils.findMergedAnnotation(method.getBeanType(), OwnErrors.class);
    var responses = operation.getResponses();
    byStatus(codes(operation, method))
        .forEach((status, codes) ->
            responses.addApiResponse(
                status.toString(), own == null ? of(codes) : of(codes, own.value())));
    return operation;
  }

  private static Set<ErrorCode> codes(Operation operation, HandlerMethod method) {
    var codes = EnumSet.copyOf(EVERY_CALL);
    if (operation.getRequestBody() != null) {
      codes.addAll(WITH_BODY);
    }
    if (operation.getParameters() != null) {
      codes.addAll(WITH_PARAMETERS);
      if (operation.getParameters().stream()
          .anyMatch(it -> RequestBytes.KEY_HEADER.equals(it.getName()))) {
        codes.addAll(WITH_KEY);
      }
    }
    Stream.of(
            method.getMethodAnnotation(Fails.class),
            AnnotatedElementUtils.findMergedAnnotation(method.getBeanType(), Fails.class))
        .filter(Objects::nonNull)
        .forEach(it -> codes.addAll(List.of(it.value())));
    return codes;
  }

  private static Map<Integer, List<ErrorCode>> byStatus(Set<ErrorCode> codes) {
    var found = new TreeMap<Integer, List<ErrorCode>>();
    codes.forEach(it -> found.computeIfAbsent(it.status().value(), _ -> new ArrayList<>()).add(it));
    return found;
  }

  private static ApiResponse of(List<ErrorCode> codes, String schema) {
    var media = new MediaType().schema(new JsonSchema().$ref("#/components/schemas/" + schema));
    return new ApiResponse()
        .description(
            codes.stream().map(it -> "`" + it.code() + "`").collect(Collectors.joining(", ")))
        .content(new Content().addMediaType("application/json", media));
  }

  private static ApiResponse of(List<ErrorCode> codes) {
    return codes.size() == 1
        ? new ApiResponse().$ref("#/components/responses/" + codes.getFirst().code())
        : ProblemDocument.response(codes);
  }
}

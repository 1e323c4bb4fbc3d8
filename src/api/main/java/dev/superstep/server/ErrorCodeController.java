package dev.superstep.server;

import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Explains codes; `help` of a problem document leads here.
@Tag(name = "Error codes", description = "What the codes of failures mean, and what to do")
@RestController
@RequestMapping(path = "/v1/error-codes", produces = MediaType.APPLICATION_JSON_VALUE)
class ErrorCodeController {
  private final ErrorCatalog codes;

  ErrorCodeController(ErrorCatalog codes) {
    this.codes = codes;
  }

  @Requires({})
  @Operation(operationId = "listErrorCodes")
  @Paged
  @GetMapping
  Listing<ErrorCodeBody> list(Query query) {
    return Listing.part(codes.all().stream().map(ErrorCodeBody::of).toList(), query);
  }

  @Requires({})
  @Operation(operationId = "getErrorCode")
  @Fails(ErrorCode.NOT_FOUND)
  @GetMapping("/{code}")
  ErrorCodeBody get(@PathVariable String code) {
    return codes
        .find(code)
        .map(ErrorCodeBody::of)
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.NOT_FOUND,
                "the service sends no code '%s'; functions and web services give codes of their own"
                    .formatted(code)));
  }

  /// The meaning of a code in answers of the API.
  record ErrorCodeBody(
      String code,
      String title,
      @Nullable Integer status,
      List<String> found,
      String meaning,
      List<String> causes,
      String remedy,
      ObjectValue example) {

    static ErrorCodeBody of(Explanation code) {
      return new ErrorCodeBody(
          code.code(),
          code.title(),
          code.status().orElse(null),
          code.found().stream().map(CodeSource::key).toList(),
          code.what(),
          code.causes(),
          code.remedy(),
          code.example());
    }
  }
}

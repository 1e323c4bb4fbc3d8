package dev.superstep.http;

import dev.superstep.json.JsonException;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MissingRequestHeaderException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/// Maps exceptions of the framework to error codes. The text of the exception is never returned: it
/// names classes.
final class FailureMapping {
  private FailureMapping() {}

  static ServiceException translate(Exception failure) {
    return switch (failure) {
      case ServiceException known -> known;
      case JsonException text -> BodyFailures.translate(text);
      case HttpMessageNotReadableException unreadable -> BodyFailures.translate(unreadable);
      case InvalidParameterException _ ->
          new ServiceException(
              ErrorCode.INVALID_PARAMETER, "the query has characters that are not UTF-8");
      case RequestRejectedException _ ->
          new ServiceException(
              ErrorCode.BAD_REQUEST, "the query or a header has characters that are not allowed");
      case MethodArgumentTypeMismatchException mismatch -> mismatch(mismatch);
      case MissingServletRequestParameterException missing ->
          ServiceException.at(
              FieldError.parameter(missing.getParameterName()),
              ErrorCode.INVALID_PARAMETER,
              "this query parameter is required");
      case MissingRequestHeaderException missing ->
          new ServiceException(
              ErrorCode.INVALID_HEADER, "the header " + missing.getHeaderName() + " is required");
      case HttpMediaTypeNotSupportedException unsupported ->
          new ServiceException(
              ErrorCode.UNSUPPORTED_MEDIA_TYPE,
              "Content-Type must be one of " + unsupported.getSupportedMediaTypes());
      case HttpRequestMethodNotSupportedException unsupported ->
          new ServiceException(
              ErrorCode.METHOD_NOT_ALLOWED, unsupported.getMethod() + " is not allowed here");
      case ErrorResponse response -> of(HttpStatus.valueOf(response.getStatusCode().value()));
      default -> unexpected(failure);
    };
  }

  /// Query parameters are not bound by the framework, so that it is the path or a header.
  private static ServiceException mismatch(MethodArgumentTypeMismatchException mismatch) {
    var header = mismatch.getParameter().getParameterAnnotation(RequestHeader.class);
    if (header != null) {
      return new ServiceException(
          ErrorCode.INVALID_HEADER, "the header %s cannot be read".formatted(mismatch.getName()));
    }
    var type = mismatch.getRequiredType();
    return ServiceException.at(
        FieldError.pathPart(mismatch.getName()),
        ErrorCode.INVALID_PARAMETER,
        type == int.class || type == Integer.class
            ? "must be an integer"
            : "cannot be read as what it must be");
  }

  private static ServiceException unexpected(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ServiceException known) {
        return known;
      }
    }
    return DatabaseFailures.isAway(failure)
        ? new ServiceException(
            ErrorCode.DATABASE_UNAVAILABLE, "the database cannot be reached; try again")
        : of(HttpStatus.INTERNAL_SERVER_ERROR);
  }

  /// A failure with a known status only.
  static ServiceException of(HttpStatus status) {
    return switch (status) {
      case BAD_REQUEST -> new ServiceException(ErrorCode.BAD_REQUEST, "the request is malformed");
      case UNAUTHORIZED ->
          new ServiceException(ErrorCode.UNAUTHENTICATED, "send Authorization: Bearer <key>");
      case FORBIDDEN -> new ServiceException(ErrorCode.FORBIDDEN, "this key may not do that");
      case NOT_FOUND -> new ServiceException(ErrorCode.NOT_FOUND, "there is nothing at this path");
      case METHOD_NOT_ALLOWED ->
          new ServiceException(ErrorCode.METHOD_NOT_ALLOWED, "this method is not allowed here");
      case NOT_ACCEPTABLE ->
          new ServiceException(ErrorCode.NOT_ACCEPTABLE, "nothing here fits the Accept header");
      case CONTENT_TOO_LARGE ->
          new ServiceException(ErrorCode.BODY_TOO_LARGE, "the body is too large");
      case UNSUPPORTED_MEDIA_TYPE ->
          new ServiceException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "send application/json");
      case NOT_IMPLEMENTED, HTTP_VERSION_NOT_SUPPORTED ->
          new ServiceException(
              ErrorCode.NOT_IMPLEMENTED,
              "the server does not know this method or version of HTTP, or this transfer coding");
      case SERVICE_UNAVAILABLE ->
          new ServiceException(ErrorCode.OVERLOADED, "the service is overloaded; try again");
      default ->
          status.is4xxClientError()
              ? new ServiceException(ErrorCode.BAD_REQUEST, "the request cannot be served")
              : new ServiceException(
                  ErrorCode.INTERNAL_ERROR, "the service failed unexpectedly; its log says why");
    };
  }

  /// Distinguishes an unreachable or overloaded database from a wrong statement.
  static final class DatabaseFailures {
    private static final int DEPTH_MAX = 20;

    /// Classes of SQLSTATE: connection, rolled back by a conflict, out of resources, lock not
    /// available, shut down by the operator, errors of the disk.
    private static final Set<String> TRANSIENT = Set.of("08", "40", "53", "55", "57", "58");

    private static final String READ_ONLY = "25006";

    private DatabaseFailures() {}

    static boolean isAway(Throwable failure) {
      Throwable cause = failure;
      for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
        if (saysAway(cause)) {
          return true;
        }
        cause = cause.getCause();
      }
      return false;
    }

    /// Errors of the server have an SQL state. Those without come from the pool: the connection was
    /// closed under a transaction, which shows when that is rolled back.
    private static boolean saysAway(Throwable cause) {
      return switch (cause) {
        case CannotCreateTransactionException _ -> true;
        case DataAccessResourceFailureException _ -> true;
        case TransientDataAccessException _ -> true;
        case SQLTransientConnectionException _ -> true;
        case SQLException sql -> sql.getSQLState() == null || isTransient(sql.getSQLState());
        default -> false;
      };
    }

    private static boolean isTransient(String state) {
      return state.equals(READ_ONLY)
          || (state.length() >= 2 && TRANSIENT.contains(state.substring(0, 2)));
    }
  }
}

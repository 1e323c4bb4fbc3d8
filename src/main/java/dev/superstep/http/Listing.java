package dev.superstep.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Part of a list, as the API answers with it.
///
/// @param nextCursor what `?cursor=` of the next call is to say; null: this is the end
public record Listing<T>(
    @Schema(requiredMode = RequiredMode.REQUIRED) List<T> items,
    @JsonProperty("next_cursor")
        @Schema(description = "`cursor` of the next part; absent at the end of the list")
        @Nullable String nextCursor) {
  public Listing {
    items = List.copyOf(items);
  }

  public static <T> Listing<T> of(List<T> items, Optional<String> nextCursor) {
    return new Listing<>(items, nextCursor.orElse(null));
  }
}

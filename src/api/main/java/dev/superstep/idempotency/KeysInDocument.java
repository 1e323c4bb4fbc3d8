package dev.superstep.idempotency;

import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.stereotype.Component;

/// Keeps [IdempotencyKey] out of the OpenAPI document, in which [Idempotent] describes the header.
@Component
class KeysInDocument {

  KeysInDocument() {
    SpringDocUtils.getConfig().addRequestWrapperToIgnore(IdempotencyKey.class);
  }
}

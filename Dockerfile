# syntax=docker/dockerfile:1
# Any image with Maven and a JDK 25, and any glibc image with a Java 25 runtime, bash and useradd.
ARG BUILD_IMAGE=docker.io/library/maven:3.9-eclipse-temurin-25
ARG RUNTIME_IMAGE=docker.io/library/eclipse-temurin:25-jre

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY pom.xml ./
COPY src/main src/main
COPY docs/openapi.yaml docs/openapi.yaml
# The checks and tests belong to the build of the commit, not of the image.
RUN mvn -B -ntp -q -Pquick -Dmaven.test.skip=true package \
 && java -Djarmode=tools -jar target/superstep-*.jar extract --layers --destination extracted \
 && mv extracted/application/superstep-*.jar extracted/application/superstep.jar

FROM ${RUNTIME_IMAGE}
# A named user: initdb of the embedded PostgreSQL looks its own name up.
RUN groupadd --system --gid 10001 superstep \
 && useradd --system --uid 10001 --gid superstep --no-create-home --shell /usr/sbin/nologin superstep \
 && mkdir -p /var/lib/superstep /app \
 && chown superstep:superstep /var/lib/superstep \
 && chmod 700 /var/lib/superstep
WORKDIR /app
# From what changes least to what changes most.
COPY --from=build /build/extracted/dependencies/ ./
COPY --from=build /build/extracted/spring-boot-loader/ ./
COPY --from=build /build/extracted/snapshot-dependencies/ ./
COPY --from=build /build/extracted/application/ ./
USER 10001:10001
ENV SUPERSTEP_DATA_DIR=/var/lib/superstep
EXPOSE 8080 8081
# Bash speaks enough HTTP; the image need not have curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<>\"/dev/tcp/127.0.0.1/${MANAGEMENT_SERVER_PORT:-8081}\" && printf 'GET /actuator/health/liveness HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r -t 2 _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-jar", "superstep.jar"]

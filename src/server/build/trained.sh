#!/bin/bash
# Makes of the packaged jars, in a new folder, what the image has in /app: trained.sh <folder>
# Start it with: cd <folder> && java @java.options -jar superstep.jar
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=$here/../../../target
app=$1
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
mkdir "$app"
app=$(cd "$app" && pwd)
training=$(mktemp -d)
trap 'rm -rf "$training"' EXIT
server=$(echo "$target"/superstep-*-server.jar)
"$java" -Djarmode=tools -jar "$server" extract --force --destination "$app"
mv "$app/$(basename "$server")" "$app/superstep.jar"
"$java" -Djarmode=tools -jar "${server%-server.jar}.jar" extract --destination "$training/jar"
cp "$here/java.options" "$app"
cd "$app"
"$java" -cp "$training/jar/lib/*" "$here/AotCache.java" superstep.aot "$java" @java.options -jar superstep.jar
cat "$here/trained.options" >> java.options

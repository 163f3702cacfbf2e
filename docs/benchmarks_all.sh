#!/bin/bash
# All benchmarks, one after the other, in a few minutes: ./bazelw run -c opt
# //docs:benchmarks. What begins with --benchmark_ is passed on to each.
# docs/benchmarks/tensorflow/run compares with TensorFlow and writes the report.
# With S3_PLUGIN, an absolute path of tensorflow-io's plugin, its load is measured, too.
set -euo pipefail

cache=${XDG_CACHE_HOME:-$HOME/.cache}/fsload
mkdir -p "$cache"
folder=$(mktemp -d --tmpdir="/dev/shm")
disk=$(mktemp -d --tmpdir="$cache")
trap 'rm -rf "$folder" "$disk"' EXIT

# benchmark TITLE PROGRAM ARGUMENT...
benchmark() {
  echo "== $1"
  shift
  # What the library writes before it begins is not wanted, reasons are.
  "$@" "${passed[@]}" 2>"$disk/errors" || { cat "$disk/errors" >&2; exit 1; }
}

passed=("$@" --benchmark_min_time=0.05)
benchmark "calls, against the plugin's own table" core/files/file_benchmark testdata/null.so
benchmark "calls of a plugin that makes paths canonical itself" \
  core/files/file_benchmark testdata/null_translating.so
benchmark "the same calls through wrappers" core/wrappers/wrappers_benchmark testdata/null.so
benchmark "reads that are watched" core/observers/observer_benchmark testdata/null.so
benchmark "finding a scheme" core/registry/scheme_registry_benchmark
benchmark "URIs and paths" core/paths/path_benchmark

passed=("$@" --benchmark_repetitions=5 --benchmark_report_aggregates_only=true)
benchmark "trees and files in memory, against find, rm, cp and mkdir" \
  loader/contract/tree_benchmark testdata/posix_leaves.so leaves "$folder" 100 1000 1024 50
benchmark "the same on disk" \
  loader/contract/tree_benchmark testdata/posix_leaves.so leaves "$disk" 20 1000 256 50
benchmark "plugins in processes of their own, against in process" \
  loader/worker/isolation_benchmark testdata/null.so testdata/memory.so testdata/posix.so \
  "$folder" ${S3_PLUGIN:+"$S3_PLUGIN"}
benchmark "loading, against dlopen and TF_InitPlugin" \
  loader/loading/load_benchmark testdata/null.so "$disk"

benchmark "streams and ranges, against reads, in memory" \
  loader/contract/stream_benchmark testdata/posix.so testdata/slow.so "$folder"

passed=("$@")
benchmark "a plugin that takes 5 ms for each operation" \
  loader/contract/tree_benchmark testdata/slow.so slow "$folder" 8 8 16 50 \
  --benchmark_filter=fsload/
benchmark "a glob of 1,000,000 entries, and its memory" \
  loader/contract/tree_benchmark testdata/posix_leaves.so leaves "$folder" 1000 1000 1 1 \
  --benchmark_filter=Glob/all
benchmark "fsload --check" tools/commands/check_benchmark tools/fsload

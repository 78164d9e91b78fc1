-- Prints one line of JSON for the bench to read back.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"answers":%d,"durationMicros":%d,"statusErrors":%d,"socketErrors":%d,' ..
      '"p50Micros":%d,"p99Micros":%d}\n',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end

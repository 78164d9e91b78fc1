/**
 * Locks the user's place, records the request and counts it, for all entrants of a batch.
 * ARGV: the time, then (event, user, request) of each entrant.
 * Answers the request that holds each lock, or an empty string when there is no such event.
 */
export const admitScript = `
local holders = {}
for i = 2, #ARGV, 3 do
  local event, user, request = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local lock = 'lock:' .. event .. ':' .. user
  local holder = request
  if redis.call('EXISTS', 'event:' .. event) == 0 then
    holder = ''
  elseif redis.call('SET', lock, request, 'NX') then
    redis.call('HSET', 'request:' .. request, 'eventId', event, 'userId', user,
      'status', 'QUEUED', 'createdAt', ARGV[1])
    redis.call('HINCRBY', 'summary:' .. event, 'QUEUED', 1)
  else
    holder = redis.call('GET', lock)
  end
  holders[#holders + 1] = holder
end
return holders
`;

/**
 * Takes one of the event's capacity, or rejects.
 * ARGV: the time, event, request.
 * A request that is unknown or already settled is left alone: a job may run twice.
 */
export const settleScript = `
local event, request = 'event:' .. ARGV[2], 'request:' .. ARGV[3]
if redis.call('HGET', request, 'status') ~= 'QUEUED' then return end
local status = 'REJECTED'
if tonumber(redis.call('HGET', event, 'remaining')) > 0 then
  redis.call('HINCRBY', event, 'remaining', -1)
  status = 'SUCCEEDED'
end
redis.call('HSET', request, 'status', status, 'settledAt', ARGV[1])
redis.call('HINCRBY', 'summary:' .. ARGV[2], 'QUEUED', -1)
redis.call('HINCRBY', 'summary:' .. ARGV[2], status, 1)
`;

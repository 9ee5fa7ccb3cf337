-- KEYS[1] hash: slot to units, and t with the slot to when its latest units were taken, ms.
-- ARGV: slot, now and window in ms, units, limit. Returns whether they were taken, units in the window, its oldest time.
local slot, now, window = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local units, limit = tonumber(ARGV[4]), tonumber(ARGV[5])
local used, oldest = 0, now
local counted = redis.call('HGETALL', KEYS[1])
for index = 1, #counted, 2 do
  local name = counted[index]
  if name:sub(1, 1) == 't' then
    local last = tonumber(counted[index + 1])
    -- Taken before the clock was set back: replicas are never apart by that much.
    if last > now + window then
      last = now
      redis.call('HSET', KEYS[1], name, ARGV[2])
    end
    if last + window <= now then
      redis.call('HDEL', KEYS[1], name, name:sub(2))
    else
      used = used + tonumber(redis.call('HGET', KEYS[1], name:sub(2)))
      if last < oldest then oldest = last end
    end
  end
end
if used + units > limit then return { 0, used, oldest } end
redis.call('HINCRBY', KEYS[1], slot, units)
redis.call('HSET', KEYS[1], 't' .. slot, ARGV[2])
redis.call('PEXPIRE', KEYS[1], window)
return { 1, used + units, oldest }

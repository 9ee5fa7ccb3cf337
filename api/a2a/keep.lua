-- KEYS[1]: a task. ARGV: its text, how long it is kept in ms, the mark of those that have ended.
local known = redis.call('GETRANGE', KEYS[1], 0, 0)
if known == ARGV[3] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1

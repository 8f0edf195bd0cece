-- Claims accounts whose counts are due. Other gateways do not get them until the claim ends.
--
-- KEYS[1]  accounts by the time from which their counts are offered
-- KEYS[2]  accounts by the time of their last registration
-- ARGV[1]  the most accounts to claim
-- ARGV[2]  length of a claim, in milliseconds
-- ARGV[3]  time for which an account may count after a registration, in milliseconds
--
-- Returns  for each account its name, and the time of its last registration if that is so long ago that it cannot count,
--          else an empty text

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local claim_end = now + tonumber(ARGV[2])
local claimed = {}
-- An entry beyond the longest claim dates from before the clock was set back.
for _, range in ipairs({ { '-inf', now }, { '(' .. string.format('%d', claim_end), '+inf' } }) do
  local room = tonumber(ARGV[1]) - #claimed / 2
  if room > 0 then
    for _, account in ipairs(redis.call('ZRANGE', KEYS[1], range[1], range[2], 'BYSCORE', 'LIMIT', 0, room)) do
      local noted = redis.call('ZSCORE', KEYS[2], account)
      local over = not noted or tonumber(noted) + tonumber(ARGV[3]) <= now
      table.insert(claimed, account)
      table.insert(claimed, over and (noted or '0') or '')
    end
  end
end
for index = 1, #claimed, 2 do redis.call('ZADD', KEYS[1], claim_end, claimed[index]) end
return claimed

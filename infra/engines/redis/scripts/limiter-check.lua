-- Checks and counts calls of one key atomically: its status, its quotas and the windows of identifiers. A call has one entry or
-- several, each about another window: either all of them change their windows, or none does.
--
-- KEYS[1]  the key's state, a hash:
--            status, version, until   the key's status in the organization's version, "ended" after the key's end, and when the
--                                     status expires (Unix milliseconds)
--            memory                   the server on which the status is valid; "revoked" is valid on any
--            month, used, ends        the UTC month that is counted (YYYY-MM), the calls in it, and when it ends
--            dirty                    present while counts wait to be published
--            <minute>                 for each minute since 1970, until it is over and published:
--                                     "incarnation allowed denied refused peeks"
-- KEYS[2]  the account's set of keys with unpublished counts
-- KEYS[3]  the account's live windows, a hash:
--            live, next               their number, and when the first of them stops counting (Unix milliseconds)
--            <end>                    the number of windows that stop counting at that time
-- KEYS[4]  windows by their denied calls, a sorted set
-- KEYS[5]  the set before it, which KEYS[4] becomes when half of its lifetime is over
-- KEYS[…]  for each call the windows of its entries, "used reset", reset being the Unix milliseconds at which one ends, each followed
--          by its name in full where it is stored under a digest; and with an Idempotency-Key its stored answer, "input" and for
--          each entry " allowed remaining reset"
-- ARGV[1]  the name of this server's memory
-- ARGV[2]  the key's name in the set
-- ARGV[3]  calls that the key may make in a minute
-- ARGV[4]  calls that the key may make in a month, or -1 for any number: then the month is not counted
-- ARGV[5]  lifetime of an Idempotency-Key, in milliseconds
-- ARGV[6]  windows that the account may have at once
-- ARGV[7]  windows in the set of denied calls
-- ARGV[8]  lifetime of that set, in milliseconds
-- ARGV[9]  calls that were refused without this script, because a quota was known to be used up
-- ARGV[…]  for each call the number of its entries; the digest of the input of an Idempotency-Key, or nothing without one;
--          and for each entry four: the limit of the window; its length in milliseconds; the cost, 0 for a peek; 1 if its
--          name in full is among the keys, else 0
--
-- Returns  { 3 } revoked or ended   { 4 } payment required   { 5 } no status known   { 6, month } calls of the month not known;
--          else { 0, now, when the month ends or 0, "calls-in-the-minute calls-in-the-month" after all calls, answer of each call in
--          order … }, which are texts, as a client reads one several times as fast as an array of numbers; calls in the month stand
--          there only where it is counted:
--            "1", for each entry " allowed (1 or 0) remaining reset", " calls-in-the-minute calls-in-the-month"
--            "2 scope (1: minute, 2: month) milliseconds-to-wait calls-in-the-minute calls-in-the-month"
--            "7" the Idempotency-Key was used with other input
--            "8 milliseconds-to-wait calls-in-the-minute calls-in-the-month" the account has all windows that it may have
--
-- Redis's clock decides, and all numbers are whole. An end is stored once and never computed again, so it does not wobble.
-- Of each call everything is read before anything is changed.

local MINUTE_MS = 60000
local HOUR_MS = 3600000
local DAY_MS = 86400000
-- The longest life of a status, whatever the clock does.
local STATUS_LIFE_MS = 60000

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local minute = math.floor(now / MINUTE_MS)
local state = redis.call('HMGET', KEYS[1], 'status', 'until', 'dirty', minute, 'month', 'used', 'ends', 'memory')

local status = state[1]
if status == 'revoked' then return { 3 } end
local believed = (tonumber(state[2]) or 0) - now
if not status or state[8] ~= ARGV[1] or believed <= 0 or believed > STATUS_LIFE_MS then return { 5 } end
if status == 'ended' then return { 3 } end
if status ~= 'active' then return { 4 } end

-- The month of a day counted from 1970 (civil_from_days, H. Hinnant).
local function month_of(day)
  local shifted = day + 719468
  local era = math.floor(shifted / 146097)
  local day_of_era = shifted - era * 146097
  local year_of_era = math.floor(
    (day_of_era - math.floor(day_of_era / 1460) + math.floor(day_of_era / 36524) - math.floor(day_of_era / 146096)) / 365
  )
  local day_of_year = day_of_era - (365 * year_of_era + math.floor(year_of_era / 4) - math.floor(year_of_era / 100))
  local month = (math.floor((5 * day_of_year + 2) / 153) + 2) % 12 + 1
  local year = year_of_era + era * 400
  if month <= 2 then year = year + 1 end
  return string.format('%04d-%02d', year, month)
end

local per_minute, per_month = tonumber(ARGV[3]), tonumber(ARGV[4])
local used_in_month, month_ends = tonumber(state[6]), tonumber(state[7])
-- A counted month continues until its end, also if the clock is set back before its beginning.
if per_month >= 0 and not (month_ends and now < month_ends) then
  return { 6, month_of(math.floor(now / DAY_MS)) }
end

local incarnation, allowed, denied, refused, peeks = time[1] .. '.' .. time[2], 0, 0, 0, 0
if state[4] then
  incarnation, allowed, denied, refused, peeks = string.match(state[4], '^(%S+) (%d+) (%d+) (%d+) (%d+)$')
end
local calls = allowed + denied + peeks
refused = refused + ARGV[9]
local counted = ARGV[9] ~= '0'
local next_key, next_argument = 6, 10

-- The account's windows, read when the first one begins; changes are written at the end.
local live, next_end
local begun, ended = {}, {}

local function has_room(beginning)
  if not live then
    local held = redis.call('HMGET', KEYS[3], 'live', 'next')
    live, next_end = tonumber(held[1]) or 0, tonumber(held[2])
    if next_end and next_end <= now then
      live, next_end = 0, nil
      local ends = redis.call('HGETALL', KEYS[3])
      for index = 1, #ends, 2 do
        local at = tonumber(ends[index])
        if at and at <= now then
          ended[#ended + 1] = ends[index]
        elseif at then
          live, next_end = live + ends[index + 1], math.min(next_end or at, at)
        end
      end
    end
  end
  return live + beginning <= tonumber(ARGV[6])
end

-- Rounds an end up, so that an account has about a hundred different ends at most.
local function begin_window(window_ms, reset)
  local unit = window_ms < HOUR_MS and MINUTE_MS or window_ms < DAY_MS and HOUR_MS or DAY_MS
  local at = math.ceil(reset / unit) * unit
  begun[at] = (begun[at] or 0) + 1
  live, next_end = live + 1, math.min(next_end or at, at)
end

-- The denied calls of each window, written at the end.
local denied_by = {}

-- A window beyond the bound takes the place and the count of the smallest one, so that none counts too few.
local function add_denied(window, count)
  if not redis.call('ZSCORE', KEYS[4], window) and redis.call('ZCARD', KEYS[4]) >= tonumber(ARGV[7]) then
    count = count + redis.call('ZPOPMIN', KEYS[4])[2]
  end
  redis.call('ZINCRBY', KEYS[4], count, window)
end

local function write_denied()
  local left = redis.call('PTTL', KEYS[4])
  if left >= 0 and left <= ARGV[8] / 2 then redis.call('RENAME', KEYS[4], KEYS[5]) end
  for window, count in pairs(denied_by) do add_denied(window, count) end
  if left <= ARGV[8] / 2 then redis.call('PEXPIRE', KEYS[4], ARGV[8]) end
end

-- The calls in minute and month, as they stand at the end of an answer.
local function counted_so_far()
  return per_month >= 0 and calls .. ' ' .. used_in_month or calls
end

-- Reads the window of an entry: its units in use, its end, whether the entry would begin it, and the key that it is under. One
-- that began before windows were stored under digests ends where it is.
local function read(window, window_ms, in_full)
  local held, key = redis.call('GET', window), window
  if not held and in_full then held, key = redis.call('GET', in_full), in_full end
  if held then
    local space = string.find(held, ' ', 1, true)
    local reset = tonumber(string.sub(held, space + 1))
    if reset > now then return tonumber(string.sub(held, 1, space - 1)), reset, false, key end
  end
  return 0, now + window_ms, true, window
end

local function check()
  local entries, input, key, argument = tonumber(ARGV[next_argument]), ARGV[next_argument + 1], next_key, next_argument + 2
  next_argument = argument + 4 * entries
  local windows, names = {}, {}
  for at = argument + 3, next_argument - 1, 4 do
    windows[#windows + 1], key = KEYS[key], key + 1
    names[#windows] = ARGV[at] == '1' and KEYS[key]
    if names[#windows] then key = key + 1 end
  end
  local remembered_by = input ~= '' and KEYS[key]
  next_key = key + (remembered_by and 1 or 0)
  local remembered = remembered_by and redis.call('GET', remembered_by)
  if remembered then
    local before, answer = string.match(remembered, '^(%S+) (.+)$')
    if before ~= input then return '7' end
    return '1 ' .. answer .. ' ' .. counted_so_far()
  end

  local costing = 0
  for index = argument + 2, next_argument - 1, 4 do
    if ARGV[index] ~= '0' then costing = costing + 1 end
  end
  -- A peek is not stopped by the month, and not counted as refused.
  if costing > 0 and per_month >= 0 and used_in_month + costing > per_month then
    refused, counted = refused + costing, true
    return '2 2 ' .. month_ends - now .. ' ' .. counted_so_far()
  end
  if calls + entries > per_minute then
    if costing > 0 then refused, counted = refused + costing, true end
    return '2 1 ' .. (minute + 1) * MINUTE_MS - now .. ' ' .. counted_so_far()
  end

  local fits, beginning = true, 0
  local useds, resets, begins, fitting = {}, {}, {}, {}
  for index = 1, entries do
    local at = argument + 4 * (index - 1)
    local limit, cost = tonumber(ARGV[at]), tonumber(ARGV[at + 2])
    local used, reset, is_new, window = read(windows[index], tonumber(ARGV[at + 1]), names[index])
    windows[index] = window
    local is_fitting = used + math.max(cost, 1) <= limit
    fits = fits and is_fitting
    if is_new and cost > 0 then beginning = beginning + 1 end
    useds[index], resets[index], begins[index], fitting[index] = used, reset, is_new, is_fitting
  end
  if fits and beginning > 0 and not has_room(beginning) then
    refused, counted = refused + costing, true
    return '8 ' .. (next_end or now) - now .. ' ' .. counted_so_far()
  end

  calls, peeks, counted = calls + entries, peeks + entries - costing, true
  if fits then allowed = allowed + costing else denied = denied + costing end
  if per_month >= 0 then used_in_month = used_in_month + costing end
  local answers = {}
  for index = 1, entries do
    local at, window, used, reset = argument + 4 * (index - 1), windows[index], useds[index], resets[index]
    local cost = tonumber(ARGV[at + 2])
    if fits and cost > 0 then
      if begins[index] then begin_window(tonumber(ARGV[at + 1]), reset) end
      used = used + cost
      redis.call('SET', window, used .. ' ' .. reset, 'PXAT', reset)
    elseif cost > 0 and not fitting[index] then
      local name = names[index] or window
      denied_by[name] = (denied_by[name] or 0) + 1
    end
    answers[index] = (fitting[index] and '1 ' or '0 ') .. math.max(0, ARGV[at] - used) .. ' ' .. reset
  end
  local answer = table.concat(answers, ' ')
  if remembered_by and costing > 0 then
    redis.call('SET', remembered_by, input .. ' ' .. answer, 'PX', ARGV[5])
  end
  return '1 ' .. answer .. ' ' .. counted_so_far()
end

local answers = { 0, now, per_month >= 0 and month_ends or 0, '' }
while next_argument <= #ARGV do answers[#answers + 1] = check() end
answers[4] = counted_so_far()

if counted then
  local counts = incarnation .. ' ' .. allowed .. ' ' .. denied .. ' ' .. refused .. ' ' .. peeks
  if per_month >= 0 then
    redis.call('HSET', KEYS[1], minute, counts, 'used', used_in_month)
  else
    redis.call('HSET', KEYS[1], minute, counts)
  end
  if not state[3] then
    redis.call('HSET', KEYS[1], 'dirty', 1)
    redis.call('SADD', KEYS[2], ARGV[2])
    redis.call('PEXPIRE', KEYS[2], redis.call('PTTL', KEYS[1]))
  end
end
if next(denied_by) then write_denied() end
if next(begun) then
  local last = now
  for at, count in pairs(begun) do
    redis.call('HINCRBY', KEYS[3], at, count)
    last = math.max(last, at)
  end
  redis.call('HSET', KEYS[3], 'live', live, 'next', next_end)
  if #ended > 0 then redis.call('HDEL', KEYS[3], unpack(ended)) end
  if redis.call('PTTL', KEYS[3]) < last - now then redis.call('PEXPIREAT', KEYS[3], last) end
end
return answers

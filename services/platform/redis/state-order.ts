/**
 * Lua functions for the beginning of scripts. A value ends with the name of a state: `subject.content.counters.epoch` in base 36,
 * as the social service makes freshness tokens. What stands before it, up to a blank, belongs to the process that stored it.
 */
export const stateOrder = `
local function stateOf(value) return string.match(value, '^.* ([^ ]*)$') or value end
local function withState(value, state) return string.sub(value, 1, #value - #stateOf(value)) .. state end

-- The newer one of two states of a subject: within one epoch its versions only grow. nil when that cannot be told.
local function newest(a, b)
  if a == b then return a end
  local pattern = '^(%w+)%.(%w+)%.(%w+)%.(%w+)$'
  local subject, content, counters, epoch = string.match(a, pattern)
  local otherSubject, otherContent, otherCounters, otherEpoch = string.match(b, pattern)
  if not subject or subject ~= otherSubject or epoch ~= otherEpoch then return nil end
  local ahead = tonumber(content, 36) - tonumber(otherContent, 36) + tonumber(counters, 36) - tonumber(otherCounters, 36)
  if ahead == 0 then return nil end
  return ahead > 0 and a or b
end
`;

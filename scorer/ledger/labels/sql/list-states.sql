-- Fetch state of each list: the newest fetch, and the result of the newest successful one.
SELECT source, toString(max(u.generation)) AS generation,
  argMaxIf(u.outcome, (u.generation, u.outcome != 'running', u.at), u.outcome != 'queued') AS outcome,
  argMaxIf(u.message, (u.generation, u.outcome != 'running', u.at), u.outcome != 'queued') AS message,
  toUnixTimestamp64Milli(argMaxIf(u.at, (u.generation, u.outcome != 'running', u.at), u.outcome != 'queued')) AS at,
  toUnixTimestamp64Milli(argMaxIf(u.at, (u.generation, u.at), u.outcome IN ('applied', 'unchanged'))) AS confirmed_at,
  argMaxIf(u.version, (u.generation, u.at), u.outcome IN ('applied', 'unchanged')) AS version,
  argMaxIf(u.definition, (u.generation, u.at), u.outcome IN ('applied', 'unchanged')) AS definition,
  argMaxIf(u.validators, (u.generation, u.at), u.outcome IN ('applied', 'unchanged')) AS validators,
  argMaxIf(u.labels, (u.generation, u.at), u.outcome IN ('applied', 'unchanged')) AS labels
FROM label_updates AS u
GROUP BY source

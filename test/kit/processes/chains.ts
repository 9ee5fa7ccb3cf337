/** Local chains that run on this machine (Linux only), whoever started them. */
import { readdirSync, readFileSync } from 'node:fs'

/** Process ids of anvils whose arguments or environment hold a text, such as the data folder of those who started them. */
export const chainsWith = (text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // A process that has ended has no environment, even before its parent has noticed.
        return (
          readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'anvil' &&
          ['cmdline', 'environ'].some((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8').includes(text))
        )
      } catch {
        return false
      }
    })

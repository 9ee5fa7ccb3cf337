import { readFileSync } from 'node:fs'

/** Start time of a process in clock ticks since boot (proc(5), field 22); empty where there is no /proc. */
const startOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** Name of this process, different after a restart or for a reused pid. */
export const thisProcess = (): string => `${process.pid}:${startOf(process.pid)}`

/** Whether the process of that name still runs. */
export const isRunning = (name: string): boolean => {
  const [pid, start] = name.split(':')
  try {
    process.kill(Number(pid), 0)
    return startOf(Number(pid)) === start
  } catch {
    return false
  }
}

import { readFileSync } from 'node:fs'

/** Start time of a process in clock ticks since boot (proc(5), field 22); empty on systems without /proc. */
const startOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** Name of this process. It changes with a restart, even if the pid is reused. */
export const thisProcess = (): string => `${process.pid}:${startOf(process.pid)}`

/** Whether the process with that name still runs. */
export const isRunning = (name: string): boolean => {
  const [pid, start] = name.split(':')
  try {
    process.kill(Number(pid), 0)
    return startOf(Number(pid)) === start
  } catch {
    return false
  }
}

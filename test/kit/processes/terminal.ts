/** Last output of `npm start`, when the demonstration is over and the API answers. */
export const STARTED = 'Press Ctrl-C to stop.'

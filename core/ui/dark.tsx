import { createContext, useContext } from 'react'

/** Whether the console is dark now, also when the system decides. */
export const DarkContext = createContext(false)

export function useDark(): boolean {
  return useContext(DarkContext)
}

import { createContext, useContext } from 'react'
import type { StaffInfo } from './calls.ts'

export const StaffContext = createContext<StaffInfo | undefined>(undefined)

/** The logged-in person. Only inside the shell, which does not mount before they are known. */
export function useStaff(): StaffInfo {
  const staff = useContext(StaffContext)
  if (!staff) throw new Error('used outside the shell')
  return staff
}

/** Whether the logged-in person holds a module id; an absent id is something that cannot be done. */
export function useCan(): (id: number | undefined) => boolean {
  const { modules } = useStaff()
  return (id) => id !== undefined && modules.includes(id)
}

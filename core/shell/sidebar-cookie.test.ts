import { expect, test } from 'vitest'
import { isSidebarOpen, sidebarCookie } from './sidebar-cookie.ts'

test('58: open unless the cookie says 0', () => {
  for (const cookies of ['', 'sidebarStatus=1', 'a=1; sidebarStatus=1', 'xsidebarStatus=0', 'sidebarStatus=', 'sidebarStatus=00']) expect(isSidebarOpen(cookies), cookies).toBe(true)
  for (const cookies of ['sidebarStatus=0', 'a=1; sidebarStatus=0; b=2']) expect(isSidebarOpen(cookies), cookies).toBe(false)
})

test('58, 59: 1 or 0, with an expiry and the console\'s path', () => {
  expect(sidebarCookie(true)).toBe('sidebarStatus=1; path=/new; max-age=31536000; samesite=lax')
  expect(sidebarCookie(false)).toMatch(/^sidebarStatus=0; path=\/new; max-age=\d+/)
})

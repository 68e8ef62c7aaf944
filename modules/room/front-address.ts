/** What stands in the address of the screen of rooms while a counter is open: `?front=3`. */
export const FRONT = 'front'

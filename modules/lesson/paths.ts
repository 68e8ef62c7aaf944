/** Addresses of what belongs to one course. */
export const videoPath = (id: number): string => `/course/videoManagement/${id}`
export const sectionPath = (id: number): string => `/course/sections/${id}`
/** @param type which papers are looked at first (spec 9) */
export const matrixPath = (id: number, type = 1): string => `/course/paper/index/${type}/${id}`

export { serveCourseLines } from './course-line.server.ts'
export { insertCourseDemo } from './demo.server.ts'

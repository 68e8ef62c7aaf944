export { serveCourseLines } from './course-line.server.ts'
export { insertCourseDemo } from './demo.server.ts'
export { demoCover } from './demo-cover.ts'
export { insertSales } from './demo-sales.server.ts'

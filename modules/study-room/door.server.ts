export { sameSchool } from './same-school.server.ts'

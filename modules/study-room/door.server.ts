export { partnerEffect } from './partner-order.server.ts'
export { sameSchool } from './same-school.server.ts'

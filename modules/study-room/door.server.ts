export { describeUnit, partnerEffect, regardPartner } from './partner-order.server.ts'
export { sameSchool } from './same-school.server.ts'

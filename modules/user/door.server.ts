export { extendEntitlements, openEntitlements, setEntitlements, type Grant } from './entitlement.server.ts'
export { userOfMobile } from './find-user.server.ts'

export { extendEntitlements, openEntitlements, setEntitlements, type Grant } from './entitlement.server.ts'
export { userOfMobile } from './find-user.server.ts'
export { openInTurn, shortenInTurn, type Opens, holdLearners } from './in-turn.server.ts'
export { serveLearners, type OriginReader } from './learner.server.ts'

export { tellOutside } from './message/delivery.server.ts'

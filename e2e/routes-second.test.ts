import { lookAtScreens } from './every-screen.ts'

await lookAtScreens(1)

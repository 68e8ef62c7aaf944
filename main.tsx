import { createRoot } from 'react-dom/client'
import { StrictMode } from 'react'
import type { ConsoleModule } from './core/module/present.tsx'
import { captureErrors, renderErrors } from './core/report/report-errors.tsx'
import { Console } from './core/shell/console.tsx'
import { installConsole } from './core/shell/service-worker.tsx'
import { screenGroups } from './modules/screens.ts'

const found = import.meta.glob<{ default: ConsoleModule }>('./modules/*/module.browser.tsx', { eager: true })
const modules = Object.values(found).map((module) => module.default)

const root = document.getElementById('root')
captureErrors()
if (root) createRoot(root, renderErrors).render(<StrictMode><Console groups={screenGroups} modules={modules} /></StrictMode>)
installConsole()

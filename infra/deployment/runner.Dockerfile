# The image of the role `runner`: the service and Chromium. Built after the image of the service, from the root of the repository:
#   docker build --file infra/deployment/runner.Dockerfile --tag svc-runner:0.2.0 .

FROM svc:0.2.0 AS service

FROM node:24.21.0-bookworm-slim
# Chromium with its libraries, and fonts in which pages of most languages can be read.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium fonts-noto-core fonts-noto-cjk iproute2 \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /service
COPY --from=service /service /service
COPY --from=service /data /data
# The folder for the homes of browsers is /tmp; nothing else is written anywhere.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 SVC_DATA_FOLDER=/data SVC_CHROMIUM=/usr/bin/chromium SVC_ROLES=runner
EXPOSE 8787
# The process with the secrets is root, with the few capabilities that the manifests leave it, so that it can start browsers as
# another user, who has none and cannot look into it.
USER 0:0

HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "infra/start.js"]

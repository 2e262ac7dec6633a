"""Who takes part; adding a gateway is one file and one line here."""

from .haproxy import HAProxy
from .nghttpx import NGHTTPX
from .nginx import Nginx
from .nginx_defaults import NginxDefaults
from .nginx_lua import NginxLua
from .nginx_njs import NginxNJS
from .sluice import Sluice
from .sluice_h2c import SluiceH2C
from .sluice_oauth import SluiceOAuth
from .sluice_tls import SluiceTLS, SluiceTLSH2
from .sluice_traced import SluiceTraced, SluiceTracedAll

ALL = [
    Nginx,
    NginxDefaults,
    HAProxy,
    NGHTTPX,
    NginxLua,
    NginxNJS,
    Sluice,
    SluiceH2C,
    SluiceOAuth,
    SluiceTLS,
    SluiceTLSH2,
    SluiceTraced,
    SluiceTracedAll,
]
